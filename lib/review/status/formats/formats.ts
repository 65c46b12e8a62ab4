/** The output formats of `cdk8s-linkerd status`. */
export const STATUS_FORMATS = ['text', 'json', 'html', 'github'] as const;
export type StatusFormat = (typeof STATUS_FORMATS)[number];
