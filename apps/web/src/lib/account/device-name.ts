/** Browser and system of a user agent ("Firefox", "Windows"); null if unknown. */
export function deviceName(userAgent: string): { browser: string; system: string } | null {
  const browsers = [
    ['Edge', /Edg(e|A|iOS)?\//],
    ['Opera', /OPR\//],
    ['Firefox', /Firefox\/|FxiOS\//],
    ['Chrome', /Chrome\/|CriOS\//],
    ['Safari', /Safari\//],
  ] as const
  const systems = [
    ['Android', /Android/],
    ['iOS', /iPhone|iPad|iPod/],
    ['Windows', /Windows/],
    ['macOS', /Mac OS X|Macintosh/],
    ['Linux', /Linux/],
  ] as const
  const browser = browsers.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0]
  return browser && system ? { browser, system } : null
}
