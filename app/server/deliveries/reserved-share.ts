/** This share of the hour's ceiling is kept for priority 0, and as much for all other mail. */
export const reservedShare = 1 / 4
