import type { Fault } from './fault';

/** The outcome of a fault. */
export interface Result extends Fault {
  readonly room: string;
  readonly line: number;
  readonly isKilled: boolean;
  /** The test file that detected the fault. */
  readonly by?: string;
  readonly seconds: number;
}

/** Returns the line about one fault. */
export function resultLine({ isKilled, seconds, file, line, why = '', by }: Result): string {
  const outcome = isKilled ? 'killed  ' : 'SURVIVED';
  const parts = [
    `${outcome} ${`${seconds}`.padStart(4)} s`,
    `${file}:${line}`,
    why,
    by === undefined ? '' : `(by ${by})`,
  ];
  return parts.filter((part) => part !== '').join('  ');
}

/** Returns the table of all rooms. */
export function resultTable(results: readonly Result[]): string {
  const rooms = [...new Set(results.map(({ room }) => room))];
  const rows = rooms.map((room) =>
    rowOf(
      room,
      results.filter((result) => result.room === room),
    ),
  );
  return [['room', 'faults', 'killed'], ...rows, ...(rooms.length > 1 ? [rowOf('all', results)] : [])]
    .map(([room = '', faults = '', killed = '']) => `${room.padEnd(18)}${faults.padStart(8)}${killed.padStart(8)}`)
    .join('\n');
}

function rowOf(room: string, results: readonly Result[]): readonly string[] {
  return [room, `${results.length}`, `${results.filter(({ isKilled }) => isKilled).length}`];
}
