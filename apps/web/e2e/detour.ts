import net from 'node:net'

/** Imported by a program before its own first line: its connections to the port `from` lead to the port `to`, as the address of this file says. */
const { searchParams } = new URL(import.meta.url)
const [from, to] = [searchParams.get('from'), Number(searchParams.get('to'))]
const connect = net.connect as (...given: unknown[]) => net.Socket

net.connect = ((options: unknown, ...more: unknown[]) => {
  const isMeant = typeof options === 'object' && options !== null && 'port' in options && String(options.port) === from
  return connect(isMeant ? { ...options, host: '127.0.0.1', port: to } : options, ...more)
}) as typeof net.connect
