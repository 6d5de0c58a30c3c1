declare module 'subset-font' {
  /** Reduces a font to some text, or keeps all of it, at fixed values of its axes. */
  // biome-ignore lint/style/noDefaultExport: the package has one
  export default function subsetFont(
    font: Buffer,
    text: string | undefined,
    options: { targetFormat: 'sfnt'; keepAllGlyphs?: boolean; noHinting?: boolean; variationAxes?: Record<string, number> },
  ): Promise<Buffer>
}
