/**
 * The form in which addresses are stored and compared. Only A to Z become lower case. For other letters it is unknown
 * whether case matters: the lower case of the Kelvin sign is `k`, but the owner of one address does not own the other.
 */
export const normalEmail = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
