/** The formats of a status. */
export const STATUS_FORMATS = ['text', 'json', 'html', 'github'] as const;
export type StatusFormat = (typeof STATUS_FORMATS)[number];
