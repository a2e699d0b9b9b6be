// One file of the build, for people who are signed in.
export { DashLanding } from '../pages/dash-landing.tsx';
export { DashLayout } from './dash-layout.tsx';
