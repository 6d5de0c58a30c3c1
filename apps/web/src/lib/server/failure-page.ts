import { createHash } from 'node:crypto'
import type { SiteBrand } from '@augury/platform/themes/site-brand'
import { BROKEN_WAY } from '#lib/failure/broken-way.ts'
import failureFile from '#lib/failure/failure.css?raw'
import { failureWords } from '#lib/failure/failure-words.ts'
import { directionOf, type Locale } from '#lib/language/locale.ts'
import { m } from '#lib/paraglide/messages.js'
import baseFile from '#lib/shell/base.css?raw'
import type { Theme } from '#lib/shell/theme.ts'
import tokensFile from '#lib/shell/tokens.css?raw'
import { themed } from './brand.ts'
import { escaped } from './escaped.ts'
import { withLocale } from './page-locale.ts'

/** The site's colours and sizes, without its font. */
const style = tokensFile.slice(tokensFile.indexOf(':root {')) + baseFile + failureFile

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

interface FailureFacts {
  requestId: string
  locale: Locale
  theme: Theme
  brand: SiteBrand
  /** Whether other sites may show it in a frame, as they do the card of an event. */
  framed?: boolean
}

/** Static page for failures in which no page can be rendered: a message, the request id, and links. Without scripts. */
export function failurePage(status: number, { requestId, locale, theme, brand, framed = false }: FailureFacts): Response {
  const html = withLocale(locale, () => {
    const { title, text } = failureWords(status)
    const site = escaped(brand.name)
    return `<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}" data-theme="${theme}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title} · ${site}</title><style>${style}</style></head>
<body class="page"><main class="failure">${BROKEN_WAY}<p class="status"><bdi>${site}</bdi> · ${m.error_status({ status })}</p><h1>${title}</h1><p>${text}</p>
<p class="ways"><a class="button primary" href="">${m.offline_again()}</a><a class="button" href="/"${framed ? ' target="_blank"' : ''}>${m.browse_trending()}</a></p>
<p class="id">${m.request_id()} <code dir="ltr">${requestId}</code></p></main></body>
</html>
`
  })
  const rules = [style, ...(brand.theme ? [brand.theme.css] : [])].map(sha256).join(' ')
  return new Response(themed(html, brand), {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src ${rules}; base-uri 'none'; form-action 'none'; frame-ancestors ${framed ? '*' : "'none'"}`,
      'cache-control': 'no-store',
      'x-request-id': requestId,
    },
  })
}

/** Whether a response is the framework's own error page, which has no content security policy. */
export const isBareFailure = ({ status, headers }: Response): boolean =>
  status >= 400 && (headers.get('content-type') ?? '').startsWith('text/html') && !headers.has('content-security-policy')
