// Decaying vortices with numbers of the type NUMBER: BGK on shifted populations, two grids, all around
// periodic.
#define JOIN(a, b)        a##b
#define NAMED(name, type) JOIN(name, type)
#define GROWTH            NAMED(growth_with_, NUMBER)
#define STEP              NAMED(step_with_, NUMBER)

/** One step; returns the share of the vortices in the momentum. With 3 w_i `axis` or `diagonal`. */
static double STEP(NUMBER (*to)[9], NUMBER (*from)[9], NUMBER axis, NUMBER diagonal)
{
    const NUMBER omega = (NUMBER)(1.0 / TAU);
    double share = 0.0;
    for (int n = 0; n < SIZE * SIZE; n++) {
        const int x = n % SIZE, y = n / SIZE;
        const NUMBER *f = from[n];
        const NUMBER drho = f[0] + ((f[1] + f[3]) + (f[2] + f[4])) + ((f[5] + f[7]) + (f[6] + f[8]));
        const NUMBER jx = (f[1] - f[3]) + ((f[5] - f[7]) + (f[8] - f[6]));
        const NUMBER jy = (f[2] - f[4]) + ((f[5] - f[7]) + (f[6] - f[8]));
        const NUMBER ux = jx / (1 + drho), uy = jy / (1 + drho);
        share += jy * wave(x) * wave(y + SIZE / 4) - jx * wave(x + SIZE / 4) * wave(y);
        for (int i = 0; i < 9; i++) {
            const NUMBER ej = (NUMBER)ex(i) * jx + (NUMBER)ey(i) * jy;
            const NUMBER eu = (NUMBER)ex(i) * ux + (NUMBER)ey(i) * uy;
            const NUMBER w = (NUMBER)(i == 0 ? 4.0 / 9.0 : i < 5 ? 1.0 / 9.0 : 1.0 / 36.0);
            const NUMBER equal = w * (drho + (NUMBER)4.5 * ej * eu - (NUMBER)1.5 * (jx * ux + jy * uy)) +
                                 (i == 0  ? 0
                                  : i < 5 ? axis
                                          : diagonal) *
                                     ej;
            to[(y + ey(i) + SIZE) % SIZE * SIZE + (x + ex(i) + SIZE) % SIZE][i] =
                f[i] + omega * (equal - f[i]);
        }
    }
    return share;
}

/** By what the momentum of vortices of this speed grows in a step, relative, beyond their decay in theory. */
static double GROWTH(double speed, NUMBER axis, NUMBER diagonal)
{
    NUMBER(*f)[9] = allocate(sizeof(NUMBER[9]) * SIZE * SIZE);
    NUMBER(*next)[9] = allocate(sizeof(NUMBER[9]) * SIZE * SIZE);
    for (int n = 0; n < SIZE * SIZE; n++) {
        const int x = n % SIZE, y = n / SIZE, quarter = SIZE / 4;
        const double ux = -speed * wave(x + quarter) * wave(y), uy = speed * wave(x) * wave(y + quarter);
        const double drho = -0.75 * speed * speed * (wave(2 * x + quarter) + wave(2 * y + quarter));
        for (int i = 0; i < 9; i++)
            f[n][i] = (NUMBER)equilibrium(i, (Real)drho, (Real)ux, (Real)uy);
    }
    double share[FIRST + STEPS + 1];
    for (int step = 0; step <= FIRST + STEPS; step++) {
        share[step] = STEP(next, f, axis, diagonal);
        NUMBER(*swap)[9] = f;
        f = next;
        next = swap;
    }
    free(f);
    free(next);
    const double k = 2.0 * PI / SIZE;
    return log(share[FIRST + STEPS] / share[FIRST]) / STEPS + 2.0 * k * k * (TAU - 0.5) / 3.0;
}

#undef STEP
#undef GROWTH
#undef NAMED
#undef JOIN
