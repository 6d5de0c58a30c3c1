import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/** A minimal WebSocket client, so that one process holds thousands. It sends and receives text only. */
export class RawSocket {
  readonly #socket: Socket
  #head = ''
  #isOpen = false
  #rest = Buffer.alloc(0)

  /** Connects to a path on this machine and sends `hello`; `hear` is called with each text, `closed` at the end. */
  constructor(port: number, path: string, hello: string, hear: (text: string) => void, closed: () => void) {
    const socket = connect(port, '127.0.0.1')
    this.#socket = socket
    socket.on('error', () => {})
    socket.on('close', closed)
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    )
    socket.on('data', (chunk) => {
      if (this.#isOpen) return this.#frames(chunk, hear)
      this.#head += chunk.toString('latin1')
      const end = this.#head.indexOf('\r\n\r\n')
      if (end === -1) return
      this.#isOpen = true
      this.say(hello)
      this.#frames(Buffer.from(this.#head.slice(end + 4), 'latin1'), hear)
    })
  }

  /** Sends a text of less than 64 KB, with a mask of zeros. */
  say(text: string): void {
    const bytes = Buffer.from(text)
    const head =
      bytes.length < 126 ? Buffer.from([0x81, 0x80 | bytes.length]) : Buffer.from([0x81, 0xfe, bytes.length >> 8, bytes.length & 255])
    this.#socket.write(Buffer.concat([head, Buffer.alloc(4), bytes]))
  }

  /** Pauses or resumes reading. */
  read(is: boolean): void {
    if (is) this.#socket.resume()
    else this.#socket.pause()
  }

  kill(): void {
    this.#socket.resetAndDestroy()
  }

  #frames(chunk: Buffer, hear: (text: string) => void): void {
    let data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    for (;;) {
      if (data.length < 2) break
      const short = data[1]! & 127
      const head = short < 126 ? 2 : short === 126 ? 4 : 10
      if (data.length < head) break
      const length = short < 126 ? short : short === 126 ? data.readUInt16BE(2) : Number(data.readBigUInt64BE(2))
      if (data.length < head + length) break
      if ((data[0]! & 15) === 1) hear(data.toString('utf8', head, head + length))
      data = data.subarray(head + length)
    }
    this.#rest = Buffer.from(data)
  }
}
