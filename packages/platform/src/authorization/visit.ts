/** Our cookies: names without prefix, and lifetimes in seconds. */
const COOKIES = {
  session: { name: 'augury_session', maxAge: 30 * 86_400 },
  /** Binds a nonce to the browser that asked for it. */
  signIn: { name: 'augury_sign_in', maxAge: 600 },
  /** Set when the wallet was verified and the second factor is pending. */
  secondFactor: { name: 'augury_second_factor', maxAge: 600 },
  /** Identifies a device on which trading was enabled. */
  context: { name: 'augury_context', maxAge: 400 * 86_400 },
  /** The referral link by which the browser came. */
  referral: { name: 'augury_referral', maxAge: 30 * 86_400 },
} as const

/** Name of one of our cookies. */
export type CookieName = keyof typeof COOKIES

/** What a transport passes on of a request. */
export interface Arrival {
  /** Of HTTP, in upper case. */
  readonly method: string
  /** A header by its name in lower case. */
  header(name: string): string | undefined
  /** Address of the client, as a key for budgets. */
  readonly clientAddress: string
  /** Id of the request in the program's log. */
  readonly requestId?: string
}

/** One request of a browser or script: its cookies and headers, and the cookies that the answer sets. */
export interface Visit {
  readonly clientAddress: string
  /** Id of the request; empty without one. */
  readonly requestId: string
  /** The User-Agent, at most 300 characters. */
  readonly userAgent: string
  /** Whether it is signed in by a token and keeps no cookies. */
  readonly isScript: boolean
  /** The device token from when trading was enabled: a cookie, or a script's header `X-Trading-Context`. */
  readonly device: string | null
  /** Value of a cookie that came with the request, or null. */
  cookie(name: CookieName): string | null
  /** Sets a cookie. Its value is base64url or hex. */
  leave(name: CookieName, value: string): void
  /** Deletes a cookie, if the browser sent it. */
  take(name: CookieName): void
  /** Has the browser clear its caches and storage for this site, but not cookies: that of the device outlives a session. */
  clearSite(): void
  /** Headers of the answer: `Set-Cookie` is a list. */
  answerHeaders(): Record<string, string | string[]>
}

/** A visit over HTTP. Cookies are `Secure`, unless the site itself is served over plain http. */
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

/** The cookies of a header. The first of each name counts; values of a form that we never set are ignored. */
function readCookies(text: string): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of text.split(';')) {
    const [, name, value] = /^\s*([\w-]+)=([\w-]{1,128})\s*$/.exec(pair) ?? []
    if (name && value && !cookies.has(name)) cookies.set(name, value)
  }
  return cookies
}
