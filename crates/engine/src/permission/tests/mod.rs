mod grants;
mod lattice;
mod patterns;
