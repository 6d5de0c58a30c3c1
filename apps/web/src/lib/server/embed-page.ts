import { createHash } from 'node:crypto'
import type { SiteBrand } from '@augury/platform/themes/site-brand'
import type { ComponentProps } from 'svelte'
import { render } from 'svelte/server'
import EmbedCard from '#lib/event/EmbedCard.svelte'
import { directionOf, type Locale } from '#lib/language/locale.ts'
import type { Theme } from '#lib/shell/theme.ts'
import tokensFile from '#lib/shell/tokens.css?raw'
import { themed } from './brand.ts'

/** The site's colours and sizes, without its font. */
const tokens = tokensFile.slice(tokensFile.indexOf(':root {'))

/** Seconds after which a displayed card reloads. */
const RELOAD_SECONDS = 60

/** A page with one card, and its content security policy, which allows only styles by their hash. */
export function embedPage(
  props: ComponentProps<typeof EmbedCard>,
  { theme, locale, brand }: { theme: Theme; locale: Locale; brand: SiteBrand },
): { html: string; policy: string } {
  const { head, body } = render(EmbedCard, { props })
  const html = themed(
    `<!doctype html><html lang="${locale}" dir="${directionOf(locale)}" data-theme="${theme}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><meta http-equiv="refresh" content="${RELOAD_SECONDS}"><style>${tokens}</style>${head}</head><body><main>${body}</main></body></html>`,
    brand,
  )
  const rules = [...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, rule]) => `'sha256-${sha256(rule!)}'`)
  return {
    html,
    policy: `default-src 'none'; img-src 'self'; style-src ${rules.join(' ')}; base-uri 'none'; form-action 'none'; frame-ancestors *`,
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64')
