import { MEMBER_KEYS, memberOf } from '../anchor/observe/members';
import { isOlder, VERSION } from '../anchor/report-version';

const KEYS = [...MEMBER_KEYS, 'updated', VERSION];

/** Maximum number of characters of a copy. */
const MAX = 128 * 1024;

/**
 * Returns the keys of another cluster's report to copy, without other keys of its ConfigMap. Refuses a report of a
 * wrong cluster, and one that is older than the existing copy.
 */
export function copiedReport(
  report: Readonly<Record<string, unknown>> | undefined,
  { cluster, member }: { readonly cluster: string; readonly member: string },
  copy?: Readonly<Record<string, string>>,
): { readonly data: Readonly<Record<string, string>> } | { readonly refused: string } {
  if (report === undefined) return { refused: 'the other cluster has published no report' };
  const wanted = [...KEYS, `certificate.${cluster}`];
  const data = Object.fromEntries(
    wanted.flatMap((key) => {
      const value = report[key];
      return typeof value === 'string' ? [[key, value] as const] : [];
    }),
  );
  if (Object.values(data).reduce((sum, { length }) => sum + length, 0) > MAX) {
    return { refused: `the report has more than ${MAX} characters` };
  }
  const { name } = memberOf(data) ?? {};
  if (name === undefined) return { refused: 'the report cannot be read' };
  if (name !== member) return { refused: `the report is of cluster ${name}` };
  return isOlder(data, copy)
    ? { refused: 'the report is older than its copy in this cluster. If the report is correct, delete the copy' }
    : { data };
}
