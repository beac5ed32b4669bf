/**
 * In the query of an address that another name of the site has led to: nobody is led there twice,
 * should a proxy before us hide the name that the browser asked for.
 */
export const redirectMark = 'redirected'
