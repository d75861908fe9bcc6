// The steady flow in a channel of `height` rows; the rows 0 and height - 1 are walls.

// Number of fluid rows, which is also the distance of the two walls in cells.
static double fluid_height(int height)
{
    return height - 2;
}

// Velocity in row y, driven by the force per cell `force` in a fluid of viscosity `nu`.
static double channel_velocity(int y, int height, double force, double nu)
{
    return force / (2.0 * nu) * (y - 0.5) * (height - 1.5 - y);
}

// The largest velocity, half way between the walls.
static double peak_velocity(int height, double force, double nu)
{
    return force / (8.0 * nu) * (height - 2) * (height - 2);
}
