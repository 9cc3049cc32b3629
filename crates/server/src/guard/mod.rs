//! What every request passes before its handler, from the outside in.
