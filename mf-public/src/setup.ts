import { addCalls } from '@clinic/app-kit';
import { clinicRoutes } from '@clinic/svc-clinic/contract';
import './styles.css';

const { listDoctors } = clinicRoutes;
addCalls({ listDoctors });
