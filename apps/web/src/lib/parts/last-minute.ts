/**
 * The latest moment of a date field. Without one, browsers take years of six digits: who types goes on writing the year where the hour should
 * be, and what comes of it is no date.
 */
export const LAST_MINUTE = '9999-12-31T23:59'
