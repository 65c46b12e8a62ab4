import { sentence } from '#base/findings/problem';
import { githubData } from '#lib/gitops/platform/finding-formats';
import type { FleetStatus, Severity } from '../status';
import { clustersText, groupsOf, MAX_FINDINGS } from './groups';

const COMMANDS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', note: 'notice' };

/** Renders the findings as workflow commands of GitHub Actions. */
export function statusGithub(status: FleetStatus): string {
  return groupsOf(status)
    .slice(0, MAX_FINDINGS)
    .map(({ severity, problem: { code, what, why, fix }, clusters }) => {
      const text = `${clusters.length === 0 ? '' : `${clustersText(clusters)}: `}${sentence(what)} ${sentence(why)}\nFix: ${fix}`;
      return `::${COMMANDS[severity]} title=${code}::${githubData(text)}\n`;
    })
    .join('');
}
