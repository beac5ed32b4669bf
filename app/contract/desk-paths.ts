/** The address of the owner's desk, for its pages, its API and the lines that lead to it. */
export const deskPath = '/desk'
/** Takes the first link's secret from behind the #. */
export const deskStartPath = `${deskPath}/start`
export const deskApiPath = `${deskPath}/api`
