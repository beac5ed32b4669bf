// The server and the browser both read these.
export const deskPath = '/desk'
export const deskApiPath = `${deskPath}/api`
