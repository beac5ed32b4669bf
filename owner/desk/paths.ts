// The page is at /desk and below; the built app is in dist/desk: index.html, build.json with the hashes of its inline styles
// and scripts, and assets/, served at /desk/assets/.

export const deskPath = '/desk'
export const deskApiPath = '/desk/api'
