/** People found are counted up to here: to count more would read the whole list. */
export const maxCounted = 10_000
