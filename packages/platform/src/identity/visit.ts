/** Our cookies: their names without prefix, and the seconds for which a browser keeps them. */
const COOKIES = {
  session: { name: 'augury_session', maxAge: 30 * 86_400 },
  /** Binds a nonce to the browser that asked for it. */
  signIn: { name: 'augury_sign_in', maxAge: 600 },
  /** A wallet was proven, the second factor was not. */
  secondFactor: { name: 'augury_second_factor', maxAge: 600 },
  /** Marks a device on which trading was enabled. */
  context: { name: 'augury_context', maxAge: 400 * 86_400 },
  /** By whose link the browser came. */
  referral: { name: 'augury_referral', maxAge: 30 * 86_400 },
} as const

/** Name of one of our cookies. */
export type CookieName = keyof typeof COOKIES

/** A request as its transport hands it over. */
export interface Arrival {
  /** Of HTTP, in upper case. */
  readonly method: string
  /** A header by its name in lower case. */
  header(name: string): string | undefined
  /** Whoever stands behind the request, as a key for budgets. */
  readonly clientAddress: string
  /** Under which the program's own log has it. */
  readonly requestId?: string
}

/** One visit of a browser or script: what it brought, and what the answer leaves with it. */
export interface Visit {
  readonly clientAddress: string
  /** Id of the request; empty for one that nobody numbered. */
  readonly requestId: string
  /** What the program says it is; at most 300 characters. */
  readonly userAgent: string
  /** Whether it is signed in by a token and keeps no cookies. */
  readonly isScript: boolean
  /** What the device got when trading was enabled on it: its cookie, or a script's header `X-Trading-Context`. */
  readonly device: string | null
  /** Value of a cookie that came with the request, or null. */
  cookie(name: CookieName): string | null
  /** Leaves a cookie. Its value is base64url or hex. */
  leave(name: CookieName, value: string): void
  /** Takes a cookie away, if the browser sent it. */
  take(name: CookieName): void
  /** Tells the browser to drop what it kept of us, but for cookies: those of the device outlive a session. */
  clearSite(): void
  /** Headers of the answer: `Set-Cookie` is a list. */
  answerHeaders(): Record<string, string | string[]>
}

/** A visit over HTTP. Cookies are for https alone, unless the site itself is not reached by it. */
export function httpVisit({ header, clientAddress, requestId = '' }: Arrival, secure: boolean): Visit {
  const prefix = secure ? '__Host-' : ''
  const brought = readCookies(header('cookie') ?? '')
  const left = new Map<CookieName, string>()
  let cleared = false
  return {
    clientAddress,
    requestId,
    userAgent: (header('user-agent') ?? '').slice(0, 300),
    isScript: header('authorization') !== undefined,
    device: brought.get(prefix + COOKIES.context.name) ?? header('x-trading-context') ?? null,
    cookie: (name) => brought.get(prefix + COOKIES[name].name) ?? null,
    leave: (name, value) => void left.set(name, value),
    take(name) {
      if (brought.has(prefix + COOKIES[name].name)) left.set(name, '')
    },
    clearSite() {
      cleared = true
    },
    answerHeaders() {
      const attributes = `; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
      const lines = [...left].map(([name, value]) => {
        const age = value === '' ? 0 : COOKIES[name].maxAge
        return `${prefix}${COOKIES[name].name}=${value}; Max-Age=${age}${attributes}`
      })
      return {
        ...(lines.length > 0 ? { 'Set-Cookie': lines } : {}),
        ...(cleared ? { 'Clear-Site-Data': '"cache", "storage"' } : {}),
      }
    },
  }
}

/** Cookies of a header; of two with one name the first counts. Values that we never leave are passed over. */
function readCookies(text: string): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of text.split(';')) {
    const [, name, value] = /^\s*([\w-]+)=([\w-]{1,128})\s*$/.exec(pair) ?? []
    if (name && value && !cookies.has(name)) cookies.set(name, value)
  }
  return cookies
}
