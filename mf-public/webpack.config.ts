import path from 'node:path';
import { remoteConfig } from '@clinic/webpack-config';
import { PublicFilesPlugin } from './webpack/public-files-plugin.ts';

const config = await remoteConfig(import.meta.dirname);

export default {
  ...config,
  plugins: [...(config.plugins ?? []), new PublicFilesPlugin(path.join(import.meta.dirname, 'public'))],
};
