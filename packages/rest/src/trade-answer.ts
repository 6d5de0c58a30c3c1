import { randomBytes, randomUUID } from 'node:crypto'
import type { Trader } from '@augury/venue/serve/access/identity'
import type { Edge } from '@augury/venue/serve/edge'
import { BODY_LIMIT } from '@augury/wire/limits'
import { venueRow } from '@augury/wire/operations/venue'
import { ServiceError } from '@augury/wire/service-error'
import type { TradingName } from '@augury/wire/trade-stream'
import { type Answer, bodyParts } from './answer.ts'
import { failureAnswer, type OnAnswer, type OnBug } from './http.ts'
import type { TradeFrame } from './trade-frame.ts'
import { answerWith } from './venue.ts'

/** What trading sockets depend on. */
export interface TradeSource {
  edge: Edge
  onBug: OnBug
  onAnswer?: OnAnswer | undefined
}

/** Bytes of a frame beside its body. */
export const ENVELOPE_BYTES = 1024
const NOTHING = Object.freeze({})

/** What the frames of one socket have in place of a request's signature. */
export class FrameSignatures {
  readonly #nonce = randomBytes(24)
  #count = 0n

  /** 32 bytes that no other frame has: the ids of unnamed orders are made from them. */
  next(): Uint8Array {
    const signature = Buffer.allocUnsafe(32)
    this.#nonce.copy(signature)
    signature.writeBigUInt64BE(this.#count++, 24)
    return signature
  }
}

/** A frame of a trader that has logged in. */
export interface AskedFrame {
  frame: TradeFrame
  name: TradingName
  login: Trader
  /** Length of the frame. */
  bytes: number
  signature: Uint8Array
}

/** The answer to a frame, as REST gives it to the same request. Never throws or rejects. */
export function answerFrame(source: TradeSource, { frame, name, login, bytes, signature }: AskedFrame): Answer | Promise<Answer> {
  const { edge } = source
  const row = venueRow(name)
  const headers: Record<string, string> = {}
  const failed = (error: unknown) => failureAnswer(error, { requestId: randomUUID() }, name, row, source)
  try {
    const answer = answerWith(edge, name, NOTHING, headers, () => {
      if (bytes > (row.bodyLimit ?? BODY_LIMIT) + ENVELOPE_BYTES) throw new ServiceError('payload_too_large')
      const trader = edge.gateway.admitFrame(name, login, signature, headers)
      return edge.text(name, trader, () => bodyParts(row, frame.body))
    })
    return answer instanceof Promise ? answer.catch(failed) : answer
  } catch (error) {
    return failed(error)
  }
}
