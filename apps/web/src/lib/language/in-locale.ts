import { getLocale, type Locale } from '#lib/paraglide/runtime.js'

/** A message in every language, as a function that answers with the text of the page's language, or of the one that is asked for. */
export const inLocale =
  <Inputs extends object>(texts: Record<Locale, (inputs: Inputs) => string>) =>
  (inputs = {} as Inputs, options: { locale?: Locale } = {}): string =>
    texts[options.locale ?? getLocale()](inputs)
