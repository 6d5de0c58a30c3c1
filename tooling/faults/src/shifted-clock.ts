// Loaded ahead of a program (`--import`): its wall clock is off by the seconds of the address under which this was imported.
const shiftMs = Number(new URL(import.meta.url).searchParams.get('seconds')) * 1000
const { now } = Date
Date.now = () => now() + shiftMs
