// Preloaded into a program (`--import`): shifts its wall clock by the number of seconds in the URL of this import.
const shiftMs = Number(new URL(import.meta.url).searchParams.get('seconds')) * 1000
const { now } = Date
Date.now = () => now() + shiftMs
