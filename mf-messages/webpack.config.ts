import { remoteConfig } from '@clinic/webpack-config';

export default await remoteConfig(import.meta.dirname);
