// The steady flow in a channel of `height` rows; the rows 0 and height - 1 are walls.

// Number of fluid rows, which is also the distance of the two walls in cells.
static double fluid_height(int height)
{
    // TODO(1): which rows are fluid?
    return height;
}

// Velocity in row y, driven by the force per cell `force` in a fluid of viscosity `nu`.
static double channel_velocity(int y, int height, double force, double nu)
{
    // TODO(2): the formula as it is often printed. But where are the walls of our channel?
    return force / (2.0 * nu) * y * (height - 1 - y);
}

// The largest velocity, half way between the walls.
static double peak_velocity(int height, double force, double nu)
{
    // TODO(3): the maximum of the printed formula
    return force / (8.0 * nu) * (height - 1) * (height - 1);
}
