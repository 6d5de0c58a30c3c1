/** Changes with the drawings: browsers keep a picture for a year. */
const LOOK = '1'
const SQUARE = `/art/${LOOK}/`
const WIDE = `/art/${LOOK}w/`

/** Returns the path at which the site serves a drawn picture. */
export const artPath = (name: string): string => `${SQUARE}${encodeURIComponent(name)}.svg`

/** Returns the wide form of a drawn picture, for 16:9, or the large form of an upload. */
export const widePicture = (picture: string): string =>
  picture.startsWith(SQUARE) ? WIDE + picture.slice(SQUARE.length) : picture.replace(/-128\.webp$/, '.webp')

/** Reads which look a path names; null for one that is not served. */
export const readLook = (look: string): 'square' | 'wide' | null => (look === LOOK ? 'square' : look === `${LOOK}w` ? 'wide' : null)

/** Reads the name of a drawn picture from its path; null for any other path. */
export const artName = (path: string): string | null =>
  path.startsWith(SQUARE) && path.endsWith('.svg') ? decodeURIComponent(path.slice(SQUARE.length, -4)) : null
