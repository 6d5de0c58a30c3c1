import { z } from 'zod'

/** Largest sign-in message and signature, in bytes; a contract wallet's signature may include the code that deploys it. */
const SIGN_IN_MESSAGE = 4096
export const SIGN_IN_SIGNATURE = 8192

/** A sign-in message of ERC-4361. */
export const siweMessage = z.string().min(1).max(SIGN_IN_MESSAGE)
