import { anonymous } from '@augury/platform/authorization/viewer'
import { chainOfSite, vaultOf } from '@augury/platform/chain/place'
import { admission } from '@augury/platform/identity/admission'
import { isReferralCode } from '@augury/platform/identity/join'
import { withoutDatabase } from '@augury/platform/site/database-away'
import type { Site } from '@augury/platform/site/site'
import { clientAddress, trustedProxies } from '@augury/rest/client-address'
import { ServiceError } from '@augury/wire/service-error'
import type { RequestEvent } from '@sveltejs/kit'
import type { Handle, HandleServerError, ServerInit } from '@sveltejs/kit/hooks'
import { directionOf, LOCALE_COOKIE, readLocale, splitLocale } from '#lib/language/locale.ts'
import { UTC, ZONE_COOKIE } from '#lib/language/zone.ts'
import { answerAhead } from '#lib/server/ahead.ts'
import { announced } from '#lib/server/announcement.ts'
import { allowTheme, PLAIN, readBrand, themed } from '#lib/server/brand.ts'
import { keepChoice } from '#lib/server/choices.ts'
import { compressed } from '#lib/server/compressed.ts'
import { allowAnalytics, analyticsOf } from '#lib/server/count-visits.ts'
import { closeDeployment, deployment, siteFacts } from '#lib/server/deployment.ts'
import { failurePage, isBareFailure } from '#lib/server/failure-page.ts'
import { log } from '#lib/server/log.ts'
import { isOwnForm, isOwnHost } from '#lib/server/own-host.ts'
import { countPage } from '#lib/server/page-budget.ts'
import { localeChosenBy, localeOf, withLocale, withZone, zoneOf } from '#lib/server/page-locale.ts'
import { followReferral } from '#lib/server/referral.ts'
import { allowWalletConnect, walletConnectId } from '#lib/server/wallet-connect.ts'
import { CONSENT_COOKIE } from '#lib/shell/analytics.ts'
import {
  DENSITY_COOKIE,
  KEYS_COOKIE,
  type Look,
  readDensity,
  readKeys,
  readSides,
  readTheme,
  SIDES_COOKIE,
  THEME_COOKIE,
} from '#lib/shell/theme.ts'
import { building } from '$app/env'

if (!building) {
  process.once('sveltekit:shutdown', () => void closeDeployment())
  // The HTTP server calls them, the first before the page handler.
  Object.assign(globalThis, { __answerAhead: answerAhead, __siteFacts: siteFacts })
}

/** Ends with a message if the database is older than the site, instead of failing every page. */
export const init: ServerInit = async () => {
  if (!building) await deployment()
}

/** Drawn pictures. */
const ART = '/art/[look]/[name].svg'
/** Routes that authenticate callers themselves. */
const OWN_DOOR = /^\/(api|trpc|admin\/api)(\/|$)/

/** Handles a request. If even the error page fails, answers with a static one. */
export const handle: Handle = async (request) => {
  const { event } = request
  event.locals.requestId = crypto.randomUUID()
  try {
    const response = await answer(request)
    return isBareFailure(response) ? failure(event, response.status) : response
  } catch (error) {
    // Programs and the client-side router get JSON.
    if (event.isDataRequest || OWN_DOOR.test(event.url.pathname)) throw error
    if (error instanceof ServiceError && error.code === 'rate_limited') return failure(event, error.status, error.headers)
    log.error({ requestId: event.locals.requestId, path: event.url.pathname, error }, 'a request failed before its page')
    return failure(event, error instanceof ServiceError ? error.status : 500)
  }
}

function failure({ locals, url, cookies, request, route }: RequestEvent, status: number, headers: ServiceError['headers'] = {}): Response {
  const { brand = PLAIN, requestId } = locals as Partial<App.Locals> & Pick<App.Locals, 'requestId'>
  // The card of an event has language and theme from its address, and so has what stands in its place.
  const framed = route.id === '/embed/[slug]'
  const wanted = framed
    ? readLocale(url.searchParams.get('lang'))
    : localeOf(url, cookies.get(LOCALE_COOKIE), request.headers.get('accept-language'))
  const locale = wanted ?? brand.defaultLocale
  const theme = readTheme(framed ? url.searchParams.get('theme') : cookies.get(THEME_COOKIE))
  const page = failurePage(status, { requestId, locale, theme, brand, framed })
  for (const [name, value] of Object.entries(headers)) page.headers.set(name, value)
  return page
}

const answer: Handle = async ({ event, resolve }) => {
  // A drawn picture depends on nothing but its name: no database, no visitor.
  if (event.route.id === ART) return compressed(await resolve(event), event.request.headers.get('accept-encoding'))
  const { settings, site } = await deployment()
  const ownDoor = OWN_DOOR.test(event.url.pathname)
  // Requests for another host are refused.
  if (!isOwnHost(event.url.host, settings)) return refused(event, 'wrong_host')
  // Routes have no page data.
  if (ownDoor && event.isDataRequest) return refused(event, 'not_found')
  // PostgreSQL has no NUL in texts, so no page has such an address.
  if (!ownDoor && event.url.href.includes('%00')) return new Response('No page has such an address.\n', { status: 400 })
  if (!ownDoor && !isOwnForm(event.request, settings)) return new Response('Forms of other sites are refused.\n', { status: 403 })

  const isCode = (code: string) => isReferralCode(site, code)
  const followed = ownDoor ? null : await followReferral(event.request, { origin: settings.origin, now: site.now(), isCode })
  if (followed) return followed

  event.locals.look = {
    theme: readTheme(event.cookies.get(THEME_COOKIE)),
    sides: readSides(event.cookies.get(SIDES_COOKIE)),
    density: readDensity(event.cookies.get(DENSITY_COOKIE)),
    keys: readKeys(event.cookies.get(KEYS_COOKIE)),
  } satisfies Look
  event.locals.settings = settings
  event.locals.site = site
  event.locals.platform = site
  event.locals.exchange = site.exchange.pages()
  const { headers } = event.request
  event.locals.brand = await readBrand(site, event.locals.requestId)
  const wanted = localeOf(event.url, event.cookies.get(LOCALE_COOKIE), headers.get('accept-language'))
  const { locales, defaultLocale } = event.locals.brand
  event.locals.locale = wanted !== null && locales.includes(wanted) ? wanted : defaultLocale
  event.locals.analytics = analyticsOf({
    id: event.locals.brand.analyticsId,
    mode: settings.mode,
    headers,
    consent: event.cookies.get(CONSENT_COOKIE),
    path: splitLocale(event.url.pathname).path,
  })
  const chosen = localeChosenBy(event)
  if (chosen !== null) keepChoice(event, LOCALE_COOKIE, chosen)
  const proxies = trustedProxies(settings.trustedProxies)
  event.locals.clientAddress = clientAddress(event.getClientAddress(), headers.get('x-forwarded-for') ?? undefined, proxies)
  // Routes count their own callers.
  if (!ownDoor) await countPage(site, { route: event.route.id, address: event.locals.clientAddress })
  // The offline page is cached by devices and must not depend on a member.
  const isNobodys = ownDoor || event.route.id === '/offline'
  event.locals.viewer = isNobodys ? anonymous : await pageViewer(site, event.request, event.locals.clientAddress)

  const { brand, locale, look } = event.locals
  const drawn = `data-theme="${look.theme}" data-sides="${look.sides}" data-density="${look.density}" data-keys="${look.keys}"`
  const zone = isNobodys ? UTC : zoneOf(event.url, event.cookies.get(ZONE_COOKIE))
  const root = `<html lang="${locale}" dir="${directionOf(locale)}" data-zone="${zone}" ${drawn}>`
  const render = () =>
    resolve(event, {
      transformPageChunk: ({ html }) => {
        const page = themed(html.replace(/<html [^>]*>/, root), brand)
        return isNobodys ? page : announced(page, brand, locale, site.now())
      },
      preload: ({ type, path }) => type === 'js' || type === 'css' || (type === 'font' && /inter-latin-wght/.test(path)),
    })
  const response = await withLocale(locale, () => withZone(zone, render))
  // Keeps the id of a route that has its own, which is in its logs.
  if (!response.headers.has('x-request-id')) response.headers.set('x-request-id', event.locals.requestId)
  // Pages depend on the reader's preferences, so shared caches must not store them; a member's page must not be stored at all.
  const kept = event.locals.viewer.kind === 'member' ? 'private, no-store' : 'private, no-cache'
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', kept)
  const policy = response.headers.get('content-security-policy')
  if (policy !== null) response.headers.set('content-security-policy', policyOf(event.locals, policy))
  return ownDoor ? response : compressed(response, headers.get('accept-encoding'))
}

/** Refuses a request before routing; in JSON for programs. */
function refused({ url: { pathname }, locals: { requestId } }: RequestEvent, refusal: 'wrong_host' | 'not_found'): Response {
  const { status, message, code } = new ServiceError(refusal)
  const headers = { 'x-request-id': requestId }
  if (!OWN_DOOR.test(pathname)) return new Response(`${message}\n`, { status, headers })
  const extras = pathname.startsWith('/admin/api') ? { success: false } : {}
  const type = { 'content-type': 'application/json; charset=utf-8' }
  return Response.json({ ...extras, error: message, code }, { status, headers: { ...headers, ...type } })
}

/** The viewer of a page. */
const pageViewer = (site: Site, { method, headers }: Request, address: string) =>
  admission(site, { method, header: (name) => headers.get(name) ?? undefined, clientAddress: address }).look()

/** The content security policy of a page, extended by what the site's settings allow. */
const policyOf = ({ settings, brand, analytics }: App.Locals, policy: string): string =>
  allowAnalytics(allowWalletConnect(allowTheme(withServices(policy, settings), brand), walletConnectId(settings, brand)), analytics)

/** Allows the exchange's public URL in a policy, over HTTP and WebSocket, and the chain's node, by which browsers read the vault themselves. */
function withServices(policy: string, settings: App.Locals['settings']): string {
  const { origin } = new URL(settings.publicClobUrl)
  const node = vaultOf(settings) && chainOfSite(settings)?.rpcUrls[0]
  const services = [origin, origin.replace(/^http/, 'ws'), ...(node ? [new URL(node).origin] : [])]
  return policy.replace("connect-src 'self'", `connect-src 'self' ${services.join(' ')}`)
}

/**
 * The error data of a page, always with the request id of the log. It has a message only if the page wrote one in the reader's language:
 * refusals are in English, for programs, so pages describe them by their status.
 */
export const handleError: HandleServerError = ({ kind, error, event }) => {
  const { requestId } = event.locals
  if (kind === 'app') return { status: error.status, message: error.message, requestId }
  if (kind === 'framework') return { status: error.status, message: '', requestId }
  if (error instanceof ServiceError) return { status: error.status, message: '', requestId }
  log.error({ requestId, path: event.url.pathname, error }, 'a page failed')
  const refusal = withoutDatabase(error)
  return { status: refusal instanceof ServiceError ? refusal.status : 500, message: '', requestId }
}
