import type { StatusFinding } from '../../status/finding';
import { findingData, isoTime } from '../../status/formats/render';
import type { DoctorReport } from '../doctor';
import type { Fact } from '../fact';

/** Renders causes in the format that docs/doctor.md describes. Times are RFC 3339. */
export function doctorJson({ time, causes, others, read }: DoctorReport): string {
  const factData = ({ evidence = [], ...finding }: Fact) => ({ ...findingData(finding), evidence });
  const dataOf = (findings: readonly StatusFinding[]) => findings.map(findingData);
  const data = {
    version: 1,
    time: isoTime(time),
    causes: causes.map(({ cause, chain, alsoCaused, unread }) => ({
      ...factData(cause),
      chain: dataOf(chain.slice(1)),
      alsoCaused: dataOf(alsoCaused),
      unread,
    })),
    others: dataOf(others),
    read,
  };
  return `${JSON.stringify(data, undefined, 2)}\n`;
}
