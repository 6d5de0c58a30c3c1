import { createKeccak } from 'hash-wasm'
import { keccak256 } from 'viem'

let compiled: Awaited<ReturnType<typeof createKeccak>> | null = null
createKeccak(256).then(
  (hasher) => {
    compiled = hasher
  },
  () => {}, // no WebAssembly here: stays with plain JavaScript
)

/** keccak-256 (32 bytes): by WebAssembly (6 to 15 times as fast) once it is compiled, by plain JavaScript until then. */
export const keccak = (bytes: Uint8Array): Uint8Array =>
  compiled ? compiled.init().update(bytes).digest('binary') : keccak256(bytes, 'bytes')
