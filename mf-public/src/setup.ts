import { addCalls } from '@clinic/app-kit';
import { clinicCalls } from '@clinic/svc-clinic/contract';
import './styles.css';

addCalls({ listDoctors: clinicCalls.listDoctors });
