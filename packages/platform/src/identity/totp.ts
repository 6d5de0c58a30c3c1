import { generateSecret, generateURI, verifySync } from 'otplib'

/** Seconds of a step (RFC 6238); a code of the step before or after is good too. */
const STEP = 30

/** 160 random bits as base32. */
export const newTotpSecret = (): string => generateSecret({ length: 20 })

/** The otpauth URI for an authenticator's QR code. */
export const otpauthUri = (issuer: string, label: string, secret: string): string => generateURI({ issuer, label, secret })

/** The time step of a six-digit code, or null when it matches no step around now. Takes the same time for every code. */
export function stepOf(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const result = verifySync({ secret, token: code, epoch: Math.floor(now.getTime() / 1000), epochTolerance: STEP })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

/**
 * Seconds until a code after an accepted step can be accepted, if the clock was set back since: no accepted step was more than one ahead of
 * the clock. Otherwise 0.
 */
export function secondsUntilAfter(accepted: number, now: Date): number {
  const seconds = accepted * STEP - now.getTime() / 1000
  return seconds > STEP ? Math.ceil(seconds) : 0
}
