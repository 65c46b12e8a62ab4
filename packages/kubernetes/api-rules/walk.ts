import type { Problem } from '#base/findings/problem';
import { isObject } from '#base/is-object';
import { checkObject, nameOf, objectAddress } from '../schemas/schema';
import { type Schema, type SchemaAddress, schemaAt, schemaReference } from '../schemas/schema-store';
import { ADMISSION_POLICY_RULES, WEBHOOK_RULES } from './admission';
import { API_SERVICE_RULES } from './api-services';
import type { RuleTable } from './check';
import { type Check, Findings, type Refused } from './check';
import { CONTAINER_RULES, ENVIRONMENT_RULES, PROBE_RULES, SECURITY_RULES } from './containers';
import { CUSTOM_RESOURCE_RULES } from './custom-resources';
import { INGRESS_RULES, NETWORK_POLICY_RULES, SERVICE_RULES } from './networking';
import { OBJECT_RULES } from './objects';
import { POD_RULES } from './pods';
import { RESOURCE_RULES } from './resources';
import { SELECTOR_RULES } from './selectors';
import { VOLUME_RULES } from './volumes';
import { JOB_RULES, WORKLOAD_RULES } from './workloads';

/** All rules: those of Kubernetes by the name of the definition, those of custom resources by the schema's address. */
export const API_RULES: RuleTable = {
  ...ADMISSION_POLICY_RULES,
  ...API_SERVICE_RULES,
  ...CONTAINER_RULES,
  ...CUSTOM_RESOURCE_RULES,
  ...ENVIRONMENT_RULES,
  ...INGRESS_RULES,
  ...JOB_RULES,
  ...NETWORK_POLICY_RULES,
  ...PROBE_RULES,
  ...RESOURCE_RULES,
  ...SECURITY_RULES,
  ...SERVICE_RULES,
  ...VOLUME_RULES,
  ...WEBHOOK_RULES,
  ...OBJECT_RULES,
  ...POD_RULES,
  ...SELECTOR_RULES,
  ...WORKLOAD_RULES,
};

const DOCUMENT = 'kubernetes#';

interface Plan {
  readonly check?: Check;
  readonly fields: ReadonlyMap<string, Field>;
}

interface Field {
  readonly holds: 'one' | 'list' | 'map';
  readonly of: SchemaAddress;
}

const plans = new Map<SchemaAddress, Plan>();
const ruled = new Map<SchemaAddress, boolean>();

function refusals(address: SchemaAddress, object: unknown): readonly Refused[] {
  if (!isObject(object) || !leadsToRules(address)) return [];
  const findings = new Findings(object);
  walk(planAt(address), object, findings);
  return findings.refused;
}

function walk(plan: Plan, value: unknown, findings: Findings): void {
  if (!isObject(value)) return;
  plan.check?.(value, findings);
  if (plan.fields.size === 0) return;
  for (const key of Object.keys(value)) {
    const field = plan.fields.get(key);
    if (field === undefined) continue;
    const below: Check = (inside) => walk(planAt(field.of), inside, findings);
    findings.at(key, value[key], field.holds === 'one' ? below : (inside) => walkAll(inside, below, findings));
  }
}

function walkAll(holder: unknown, below: Check, findings: Findings): void {
  if (Array.isArray(holder)) {
    for (let index = 0; index < holder.length; index++) findings.at(index, holder[index], below);
  } else if (isObject(holder)) {
    for (const key of Object.keys(holder)) findings.at(key, holder[key], below);
  }
}

function planAt(address: SchemaAddress): Plan {
  const known = plans.get(address);
  if (known !== undefined) return known;
  const fields = new Map<string, Field>();
  for (const [key, schema] of Object.entries(schemaAt(address).properties ?? {})) {
    const field = fieldOf(schema);
    if (field !== undefined && leadsToRules(field.of)) fields.set(key, field);
  }
  const plan = { check: ruleOf(address), fields };
  plans.set(address, plan);
  return plan;
}

function fieldOf(schema: Schema): Field | undefined {
  const own = schemaReference(schema);
  if (own !== undefined) return { holds: 'one', of: own };
  const item = schema.items === undefined ? undefined : schemaReference(schema.items);
  if (item !== undefined) return { holds: 'list', of: item };
  const { additionalProperties } = schema;
  const value = typeof additionalProperties === 'object' ? schemaReference(additionalProperties) : undefined;
  return value === undefined ? undefined : { holds: 'map', of: value };
}

function ruleOf(address: SchemaAddress): Check | undefined {
  const name = address.startsWith(DOCUMENT) ? address.slice(DOCUMENT.length) : address;
  return Object.hasOwn(API_RULES, name) ? API_RULES[name] : undefined;
}

function leadsToRules(address: SchemaAddress): boolean {
  const known = ruled.get(address);
  if (known !== undefined) return known;
  const seen = new Set([address]);
  for (const one of seen) {
    if (ruleOf(one) !== undefined) break;
    for (const schema of Object.values(schemaAt(one).properties ?? {})) {
      const field = fieldOf(schema);
      if (field !== undefined) seen.add(field.of);
    }
  }
  const found = [...seen].some((one) => ruleOf(one) !== undefined);
  ruled.set(address, found);
  return found;
}

/**
 * Reports fields of an object that the API server would refuse or drop: by its schema, and by rules that the API server
 * has in code. Kinds without a schema in `imports/` are not checked.
 */
export function checkByApiRules(object: unknown): readonly Problem[] {
  const address = objectAddress(object);
  if (address === undefined) return [];
  const refused = refusals(address, object).map(({ field, refusal }) => refusal(field, { place: nameOf(object) }));
  return [...checkObject(object), ...refused];
}
