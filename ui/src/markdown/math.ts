// Formulas.

export {};
