/**
 * The form in which addresses are kept and compared. Only A to Z become small: of other letters nobody knows whether their case counts, and the
 * lower case of the Kelvin sign is `k`, though the owner of one address does not have the other.
 */
export const normalEmail = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
