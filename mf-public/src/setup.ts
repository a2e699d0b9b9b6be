import { addCalls } from '@clinic/app-kit';
import { clinicRoutes } from '@clinic/svc-clinic/contract';
import './styles.css';

addCalls({ listDoctors: clinicRoutes.listDoctors });
