import type { ChartGroup } from './group';

/** The differences between the templates of chart linkerd-jaeger: none, as one release has it. */
export type JaegerTemplates = Readonly<Record<never, never>>;

/** Chart linkerd-jaeger of the one release whose tracing is an extension. */
export const JAEGER: ChartGroup<JaegerTemplates> = { values: 'stable-2.14.10', templates: {} };
