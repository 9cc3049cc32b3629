// The screens of operators.

export {};
