/** Side of the square in which paths are drawn; the SVG stretches it. */
export const EXTENT = 4000
