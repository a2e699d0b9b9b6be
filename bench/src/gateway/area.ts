import { availableParallelism } from 'node:os';
import { findDebianProgram } from '../../../system-tests/src/support/debian-program.ts';
import type { Area } from '../support/area.ts';
import type { Program } from '../support/program.ts';
import { atMost, type Row } from '../support/results.ts';
import { alternate, median, p99Ratio, type Candidate, type RoundOptions, type Sample } from '../support/rounds.ts';
import { listRows } from './lists.ts';
import { compared, cpuTimes, Starter } from './starter.ts';
import { staticFiles, staticRows } from './static-files.ts';

/** The same number as when the targets were set. */
const connections = 32;

/** A busy hour, for the slowest answers. */
const manyConnections = 200;

/** A path whose response isn't cached. */
const oneDoctor = { path: '/doctors/68a0000000000000000000aa/free-days?from=2026-11-24&until=2026-11-30' };

export const gateway: Area = {
  name: 'gateway',
  title: 'What the gateway costs',
  within: 300,
  async run(context) {
    const nginx = await findDebianProgram('nginx', 'usr/sbin/nginx');
    const starter = new Starter(context, nginx);
    const rounds = Math.max(2, Math.round(10 * context.effort));
    const options = { rounds, seconds: Math.max(0.3, 0.7 * context.effort), connections };
    const files = await staticFiles(starter);
    const cheap = await starter.node('bench/src/gateway/cheap-service.ts', {});
    const rows = [
      ...(await compareWithProxies(starter, cheap.url, files.server.url, options)),
      ...(await listRows(context, starter, files.server.url, options)),
      ...(await staticRows(files, await starter.gateway(cheap.url, files.server.url), options)),
    ];
    return {
      how: `${connections} connections, ${rounds} alternating rounds of ${options.seconds} s. The gateway with its log, metrics, request ids and security headers; nginx with one worker and its access log; the bare library is http-proxy-middleware on Express as in its manual.`,
      rows,
      remarks: nginx === undefined ? ['nginx, to compare with, is neither installed nor can its package be had.'] : [],
    };
  },
};

async function compareWithProxies(
  starter: Starter,
  cheap: string,
  remote: string,
  options: RoundOptions,
): Promise<Row[]> {
  const ours = await starter.gateway(cheap, remote);
  const bare = await starter.node('bench/src/gateway/bare-proxy.ts', { TARGET: cheap });
  const nginx = await starter.proxy('cheap', { upstream: cheap });
  const second = await starter.gateway(cheap, remote);
  const one = await starter.proxy('one', { upstream: ours.url });
  const two = await starter.proxy('two', { upstream: [ours.url, second.url] });
  const candidate = (program: Program): Candidate => ({ program, question: oneDoctor });
  const found = await alternate(
    {
      bare: candidate(bare),
      ours: candidate(ours),
      one: one && candidate(one),
      two: two && candidate(two),
      nginx: nginx && candidate(nginx),
    },
    options,
  );
  const { nginx: ofNginx } = found;
  const rows = [
    compared('2 KB from a cheap service, compared with bare http-proxy-middleware', found.ours, found.bare, 0.85, {
      note: `${cpuTimes(found.ours, found.bare)}; the goal is 1.0`,
      chart: 'gateway / bare proxy library',
    }),
  ];
  if (ofNginx)
    rows.push(
      compared('the same, compared with nginx', found.ours, ofNginx, 0.2, {
        chart: 'gateway / nginx',
        note: `${cpuTimes(found.ours, ofNginx)}; the goal is 0.24`,
      }),
    );
  const busy = await alternate(
    { ours: candidate(ours), bare: candidate(bare) },
    { ...options, connections: manyConnections },
  );
  rows.push(slowest(busy.ours, busy.bare));
  if (found.two && found.one) rows.push(twoGateways(found.two, found.one));
  return rows;
}

function slowest(ours: readonly Sample[], bare: readonly Sample[]): Row {
  const p99 = (samples: readonly Sample[]) => ({ value: median(samples.map((sample) => sample.p99)), unit: 'ms' });
  const what = `the same with ${manyConnections} connections: 99th percentile, compared with bare http-proxy-middleware`;
  return { what, ours: p99(ours), peer: p99(bare), judged: atMost(p99Ratio(ours, bare), 1.3) };
}

/** Processors needed to see the effect of a second gateway: its own, the first one's, the service's, and ours. */
const processorsForTwo = 4;

function twoGateways(two: readonly Sample[], one: readonly Sample[]): Row {
  const what = 'the same with two gateways behind a balancer (nginx), compared with one';
  const processors = availableParallelism();
  if (processors >= processorsForTwo) return compared(what, two, one, 1.4, { chart: 'two gateways / one' });
  return compared(what, two, one, undefined, {
    note: `not judged: gateway, service and load share ${processors} processors here, and balancer and second gateway have none of their own`,
  });
}
