import type { Check } from './check';

/** Checks by the name of the definition in Kubernetes' OpenAPI whose objects they are about. */
export type RuleTable = Readonly<Record<string, Check>>;
