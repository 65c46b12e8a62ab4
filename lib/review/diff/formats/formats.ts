/** The formats of a difference. */
export const DIFF_FORMATS = ['text', 'markdown', 'json', 'html'] as const;
export type DiffFormat = (typeof DIFF_FORMATS)[number];

/**
 * The minimum and the default of the size limit of a Markdown page, in bytes. GitHub accepts comments of 65,536
 * characters, GitLab of 1,000,000.
 */
export const MIN_LIMIT = 1000;
export const DEFAULT_LIMIT = 65_000;
