declare module 'punycode/punycode.es6.js' {
  export { toUnicode } from 'punycode'
}
