/** The library as the server hands it out; see ../../http/assets.ts. */
// oxlint-disable-next-line import/no-default-export -- the library's own form
export { default } from 'markdown-it';
