/** The address of the owner's desk, for its pages, its API and the lines that lead to it. */
export const deskPath = '/desk'
export const deskApiPath = `${deskPath}/api`
