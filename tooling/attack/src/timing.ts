import { randomBytes, timingSafeEqual } from 'node:crypto'
import { presentedScheduler } from '@augury/platform/authorization/scheduler'
import { stepOf } from '@augury/platform/identity/totp'
import { hmacOf, signingKey } from '@augury/signing/hmac'
import { messageHead } from '@augury/signing/message'
import { verifyRequest } from '@augury/signing/request'
import { passphraseHash } from '@augury/venue/serve/access/keys'

/** A comparison with a secret, given a guess. `near` begins as the secret does, `far` does not; both are wrong and of equal length. */
export interface Comparison {
  name: string
  near: string
  far: string
  compare(guess: string): unknown
}

/** Threshold of |t| in Welch's test: from 4.5 on two classes of times differ. */
export const DIFFERENT = 4.5
/** Share of the slowest times that is dropped: they show how busy the machine was. */
const CROPPED = 0.1
const WARM = 2000

/** |t| of the times of near and far guesses in random order, with the slowest dropped. */
export function leak({ near, far, compare }: Comparison, samples: number): number {
  const times: Record<'near' | 'far', number[]> = { near: [], far: [] }
  const coins = randomBytes(samples * 2 + WARM)
  for (const [turn, coin] of coins.entries()) {
    const guess = coin & 1 ? near : far
    const begun = process.hrtime.bigint()
    compare(guess)
    const taken = Number(process.hrtime.bigint() - begun)
    if (turn >= WARM) times[coin & 1 ? 'near' : 'far'].push(taken)
  }
  const limit = [...times.near, ...times.far].sort((a, b) => a - b)[Math.floor(samples * 2 * (1 - CROPPED))]!
  const [one, other] = [times.near, times.far].map((list) => moments(list.filter((time) => time < limit))) as [Moments, Moments]
  return Math.abs(one.mean - other.mean) / Math.sqrt(one.variance / one.count + other.variance / other.count)
}

interface Moments {
  count: number
  mean: number
  variance: number
}

function moments(values: readonly number[]): Moments {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
  return { count: values.length, mean, variance }
}

/** A comparison that ends at the first difference: the test must find this one. */
export const leaking: Comparison = {
  name: 'letter by letter (must be found)',
  ...guesses('s'.repeat(2000)),
  compare(guess) {
    let letter = 0
    while (letter < guess.length && guess[letter] === 's') letter++
    return letter === guess.length
  },
}

/** Every comparison of ours with a secret that callers can guess at. */
export const comparisons: readonly Comparison[] = [signatures(), schedulerSecret(), passphrase(), codes()]

/** A guess that is right but for its last letter, and one that is wrong from the first. */
function guesses(secret: string, other = 'A'): Pick<Comparison, 'near' | 'far'> {
  const letter = secret[0] === other ? 'B' : other
  return { near: secret.slice(0, -1) + (secret.at(-1) === other ? 'B' : other), far: letter + secret.slice(1) }
}

function signatures(): Comparison {
  const key = signingKey(randomBytes(32).toString('base64'))
  const request = { timestamp: '1767225600', method: 'POST', path: '/order', query: '', body: Buffer.from('{"price":"0.5"}') }
  const bytes = hmacOf(key, messageHead(request.timestamp, request.method, request.path), request.body)
  const flipped = (at: number) => {
    const copy = Buffer.from(bytes)
    copy[at]! ^= 1
    return `${copy.toString('base64url')}=`
  }
  return {
    name: 'signature of a request',
    near: flipped(31),
    far: flipped(0),
    compare: (guess) => verifyRequest(key, request, guess, 'svc'),
  }
}

function schedulerSecret(): Comparison {
  const secret = randomBytes(32).toString('hex')
  const arrival = (guess: string) => ({
    header: (name: string) => (name === 'authorization' ? `Bearer ${guess}` : undefined),
    clientAddress: '127.0.0.1',
  })
  return {
    name: 'secret of the scheduler',
    ...guesses(secret, '0'),
    compare: (guess) => presentedScheduler(arrival(guess) as never, secret),
  }
}

function passphrase(): Comparison {
  const secret = randomBytes(16).toString('hex')
  const kept = passphraseHash(secret)
  return { name: 'passphrase of a key', ...guesses(secret, '0'), compare: (guess) => timingSafeEqual(passphraseHash(guess), kept) }
}

function codes(): Comparison {
  const [secret, now] = ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', new Date(1_767_225_600_000)]
  let right = 0
  while (stepOf(secret, String(right).padStart(6, '0'), now) === null) right++
  const text = String(right).padStart(6, '0')
  const wrong = (at: number) => text.slice(0, at) + ((Number(text[at]) + 5) % 10) + text.slice(at + 1)
  return { name: 'code of a second factor', near: wrong(5), far: wrong(0), compare: (guess) => stepOf(secret, guess, now) }
}
