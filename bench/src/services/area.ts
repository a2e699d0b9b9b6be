import { startServer } from '@clinic/mongo-embedded';
import { startTestIssuer } from '@clinic/service-kit/testing/issuer';
import type { Area } from '../support/area.ts';
import { internalSecret, startProgram, startService, type Program } from '../support/program.ts';
import { atLeast } from '../support/results.ts';
import { alternate, cpuPerRequest, perSecond, throughputRatio } from '../support/rounds.ts';
import { rowsOfAPage } from './rows.ts';

const connections = 32;
const question = { path: `/appoinments?limit=${rowsOfAPage}` };

export const services: Area = {
  name: 'services',
  title: 'What the services cost',
  within: 120,
  async run({ effort, after }) {
    const engine = await startServer({ port: 0 });
    after(() => engine.close());
    const issuer = await startTestIssuer(internalSecret, ['identity', 'clinic', 'pharmacy']);
    after(() => issuer.close());
    const bare = (file: string): Promise<Program> =>
      startProgram({ after }, `bench/src/services/${file}`, { env: { NODE_ENV: 'production' } });
    const raw = await bare('raw-service.ts');
    const express = await bare('express-service.ts');
    const kit = await startService({ after }, 'bench/src/services/kit-service.ts', {
      uri: engine.uri,
      database: 'bench',
      identityUrl: issuer.url,
    });
    const token = await issuer.token({ email: 'admin@clinic.example', role: 'admin' }, { endsIn: 590 });
    const asAdmin = { ...question, headers: { Cookie: `clinic_session=${token}; signed_in=1` } };
    const rounds = Math.max(3, Math.round(14 * effort));
    const samples = await alternate(
      {
        raw: { program: raw, question },
        express: { program: express, question },
        kit: { program: kit, question: asAdmin },
      },
      { rounds, seconds: Math.max(0.3, effort), connections },
    );
    const figure = (name: keyof typeof samples) => ({ value: perSecond(samples[name]), unit: 'requests/s' });
    const cpu = (name: keyof typeof samples) => ({ value: cpuPerRequest(samples[name]), unit: 'µs' });
    return {
      how: `A list of ${rowsOfAPage} appointments from the same objects in memory, ${connections} connections, medians of ${rounds} alternating rounds. Through service-kit with a verified session cookie, log line, metrics, validation and page headers.`,
      peerName: 'peer',
      rows: [
        {
          what: 'service-kit compared with bare Express',
          ours: figure('kit'),
          peer: figure('express'),
          judged: atLeast(throughputRatio(samples.kit, samples.express), 0.75),
          chart: 'service-kit / Express',
        },
        {
          what: 'service-kit compared with raw node:http',
          ours: figure('kit'),
          peer: figure('raw'),
          judged: atLeast(throughputRatio(samples.kit, samples.raw), 0.75),
          chart: 'service-kit / raw node:http',
        },
        {
          what: 'its processor time compared with raw node:http',
          ours: cpu('kit'),
          peer: cpu('raw'),
          judged: atLeast(cpuPerRequest(samples.raw) / cpuPerRequest(samples.kit), 0.75),
        },
      ],
    };
  },
};
