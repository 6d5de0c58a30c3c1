const TELL_EVERY_MS = 5_000

/**
 * Does a piece of work and prints one line when it is done, with how long it took; every five seconds before that, that it goes on.
 * What the work resolves with, when it is a text, is printed beside its name; meanwhile it may tell how far it is.
 *
 * @template Result
 * @param {string} name
 * @param {(tell: (detail: string) => void) => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function step(name, work) {
  const begun = Date.now()
  const seconds = () => `${((Date.now() - begun) / 1000).toFixed(1)} s`
  let told = ''
  const timer = setInterval(() => console.log(`  … ${name.padEnd(20)} ${told.padEnd(44)} ${seconds().padStart(7)}`), TELL_EVERY_MS)
  try {
    const result = await work((detail) => {
      told = detail
    })
    const detail = typeof result === 'string' ? result : ''
    console.log(`  ✓ ${name.padEnd(20)} ${detail.padEnd(44)} ${seconds().padStart(7)}`)
    return result
  } catch (error) {
    console.log(`  ✗ ${name.padEnd(20)} ${''.padEnd(44)} ${seconds().padStart(7)}`)
    throw error
  } finally {
    clearInterval(timer)
  }
}
