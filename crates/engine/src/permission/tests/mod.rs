mod lattice;
mod patterns;
